// An interface from C to QuIK's C++ (github.com/steffanlloyd/quik), for an arm of six revolute joints: tools/benchmarks/quik.py opens it.

#include <chrono>
#include <cstdint>
#include <vector>

#include "quik/IKSolver.hpp"

using Arm = quik::Robot<6>;
using Solver = quik::IKSolver<6>;
using Pose = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>;
using Joints = Eigen::Vector<double, 6>;

// The solver of an arm whose table has rows (a, alpha, d), standard convention; m and rad.
extern "C" Solver* solver(const double* rows, double tolerance, int algorithm) {
    Eigen::Matrix<double, 6, 4> table = Eigen::Matrix<double, 6, 4>::Zero();
    table.leftCols<3>() = Eigen::Map<const Eigen::Matrix<double, 6, 3, Eigen::RowMajor>>(rows);
    const Eigen::Vector<quik::JOINTTYPE_t, 6> joints = Eigen::Vector<quik::JOINTTYPE_t, 6>::Constant(quik::JOINT_REVOLUTE);
    const Eigen::Matrix4d identity = Eigen::Matrix4d::Identity();
    const auto arm = std::make_shared<Arm>(table, joints, Joints::Ones(), identity, identity);
    // The numbers are those of QuIK's README, but for the tolerance; -1: the longest step follows from the arm's size.
    return new Solver(arm, 200, quik::ALGORITHM_t(algorithm), tolerance, 1e-14, 0.05, 10, 80, 1e-10, -1.0, 1.0);
}

extern "C" void place(const Solver* solver, const double* q, double* T) {
    Eigen::Matrix4d tip;
    solver->R->FKn(Joints(q), tip);
    Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(T, 4, 4) = tip;
}

// Solve one pose after the other, each from its own start, and clock each; the arrays hold `count` of each.
extern "C" void solve(
    const Solver* solver, int64_t count, const double* targets, const double* starts, double* answers, uint8_t* converged,
    int64_t* nanoseconds
) {
    for (int64_t k = 0; k < count; k++) {
        Joints q;
        Eigen::Vector<double, 6> error;
        int iterations;
        quik::BREAKREASON_t reason;
        const auto begin = std::chrono::steady_clock::now();
        solver->IK(Pose(targets + 16 * k), Joints(starts + 6 * k), q, error, iterations, reason);
        nanoseconds[k] = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
        Eigen::Map<Joints>(answers + 6 * k) = q;
        converged[k] = reason == quik::BREAKREASON_TOLERANCE;
    }
}
