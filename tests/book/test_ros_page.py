"""The page for users of ROS: its Python against stand-ins for ROS's modules, its C++ against stand-ins for headers."""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np

from lessons_lib import lie, robots, trajectories

PAGE = (Path(__file__).resolve().parents[2] / "book/ros.md").read_text("utf8")
REST = [0.2, -1.9, 1.8, -1.4, -1.5, 0.3]
HEADER = """
#pragma once
#include <optional>
#include <string>
#include <vector>
namespace rclcpp {
struct Time {};
struct Duration { double s; double seconds() const { return s; } };
}
namespace rclcpp_lifecycle { struct State {}; }
namespace controller_interface {
enum class CallbackReturn { SUCCESS, ERROR };
enum class return_type { OK, ERROR };
enum class interface_configuration_type { INDIVIDUAL };
struct InterfaceConfiguration { interface_configuration_type type; std::vector<std::string> names; };
struct Loaned {
  double value;
  bool locked = false;
  [[nodiscard]] std::optional<double> get_optional(unsigned = 10) const {
    return locked ? std::nullopt : std::optional(value);
  }
  [[nodiscard]] bool set_value(double to, unsigned = 10) {
    if (!locked) value = to;
    return !locked;
  }
};
struct ControllerInterface {
  std::vector<Loaned> command_interfaces_, state_interfaces_;
  virtual ~ControllerInterface() = default;
  virtual CallbackReturn on_init() = 0;
  virtual CallbackReturn on_configure(const rclcpp_lifecycle::State &) = 0;
  virtual CallbackReturn on_activate(const rclcpp_lifecycle::State &) = 0;
  virtual return_type update(const rclcpp::Time &, const rclcpp::Duration &) = 0;
  virtual InterfaceConfiguration command_interface_configuration() const = 0;
  virtual InterfaceConfiguration state_interface_configuration() const = 0;
};
}
"""
MAIN = """
#include <cstdio>
int main() {
  PoseController one;
  if (one.on_init() != controller_interface::CallbackReturn::SUCCESS || one.on_configure({}) != one.on_init()) return 1;
  for (const auto &name : one.command_interface_configuration().names) std::printf("%s ", name.c_str());
  std::printf("\\n");
  for (std::size_t j = 0; j < JOINTS; j++) {
    double q;
    if (std::scanf("%lf", &q) != 1) return 1;
    one.state_interfaces_.push_back({q, true});
    one.command_interfaces_.push_back({0.0});
  }
  if (one.on_activate({}) != controller_interface::CallbackReturn::ERROR) return 2;
  for (auto &state : one.state_interfaces_) state.locked = false;
  if (one.on_activate({}) != controller_interface::CallbackReturn::SUCCESS) return 3;
  while (std::scanf("%lf", &one.wanted[0]) == 1) {
    for (int k = 1; k < 16; k++) if (std::scanf("%lf", &one.wanted[k]) != 1) return 1;
    if (one.update({}, {0.001}) != controller_interface::return_type::OK) return 4;
    for (const auto &command : one.command_interfaces_) std::printf("%a ", command.value);
    std::printf("\\n");
  }
  one.command_interfaces_[2].locked = true;
  return one.update({}, {0.001}) == controller_interface::return_type::ERROR ? 0 : 5;
}
"""


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@dataclass
class Duration:
    sec: int = 0
    nanosec: int = 0


@dataclass
class JointTrajectoryPoint:
    positions: list[float]
    velocities: list[float]
    accelerations: list[float]
    time_from_start: Duration
    effort: list[float] = field(default_factory=list)


@dataclass
class JointTrajectory:
    joint_names: list[str]
    points: list[JointTrajectoryPoint]


def test_the_python_of_the_page_makes_poses_and_messages(monkeypatch):
    for name, kinds in {
        "builtin_interfaces": [Duration],
        "trajectory_msgs": [JointTrajectory, JointTrajectoryPoint],
    }.items():
        module = ModuleType(f"{name}.msg")
        vars(module).update({kind.__name__: kind for kind in kinds})
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setitem(sys.modules, f"{name}.msg", module)
    names = {}
    for block in blocks("python"):
        exec(block, names)
    panda = names["arm"]
    assert panda.joint_names == tuple(f"panda_joint{k + 1}" for k in range(7))
    turned = lie.exp_so3([0.3, -0.5, 0.9])
    x, y, z, w = lie.so3_to_quaternion(turned, order="xyzw")
    told = SimpleNamespace(position=SimpleNamespace(x=1, y=2, z=3), orientation=SimpleNamespace(x=x, y=y, z=z, w=w))
    np.testing.assert_allclose(names["pose_of"](told), lie.pose(turned, (1, 2, 3)), atol=1e-12)
    motion = trajectories.retime(np.array([REST, np.add(REST, 0.3)]), robots.ur10(), acceleration=1.5)
    message = names["trajectory_of"](motion)
    assert list(message.joint_names) == list(robots.ur10().joint_names)
    stamps = [point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec for point in message.points]
    assert stamps[0] == 0.0 and (np.diff(stamps) > 0).all() and abs(stamps[-1] - motion.duration) < 1e-9
    q, v, a = motion.at(stamps)
    for k, point in enumerate(message.points):
        for mine, theirs in zip((q, v, a), (point.positions, point.velocities, point.accelerations), strict=True):
            np.testing.assert_allclose(theirs, mine[k], atol=1e-6)


def test_the_controller_of_the_page_follows_holds_and_refuses(tmp_path):
    arm = robots.ur10()
    text = arm.source("c", solver=True)
    (controller,) = blocks("cpp")
    for size, name in (("ROOM", "POSE_ROOM"), ("REPORT", "POSE_REPORT")):
        (number,) = re.findall(rf"#define {name} (\d+)", text)
        assert re.search(rf"\b{size} = {number}\b", controller)
    (tmp_path / "solver.c").write_text(text, "utf8")
    (tmp_path / "controller_interface").mkdir()
    (tmp_path / "controller_interface/controller_interface.hpp").write_text(HEADER, "utf8")
    (tmp_path / "it.cpp").write_text(controller + MAIN, "utf8")
    compile_it = "c++ -std=c++17 -O1 -Wall -Wextra -Werror -I. -o it it.cpp solver.o -lm"
    for command in ("cc -std=c99 -O2 -c solver.c", compile_it):
        subprocess.run(command.split(), cwd=tmp_path, check=True)
    first = arm.forward_kinematics(REST)
    last = first.copy()
    last[:3, 3] += 0, 0.02, 0.01
    along = trajectories.through([first, last], 0.5).at(np.arange(500) / 1000)
    far, nowhere = arm.forward_kinematics(np.add(REST, 0.5)), first.copy()
    nowhere[0, 3] = 99.0
    asked = [*along, far, nowhere, along[-1]]
    told = "\n".join(" ".join(map(repr, np.ravel(row).tolist())) for row in [REST, *asked])
    done = subprocess.run([tmp_path / "it"], input=told, capture_output=True, text=True, check=True)
    names, *lines = done.stdout.splitlines()
    assert names.split() == [f"{name}/position" for name in robots.load_urdf(robots.urdf_file("ur10")).joint_names]
    q = np.array([[float.fromhex(word) for word in line.split()] for line in lines])
    found = arm.forward_kinematics(q[:500])
    assert np.abs(found - along).max() < 2e-6
    for held in q[500:]:
        np.testing.assert_allclose(held, q[499], atol=1e-6)
