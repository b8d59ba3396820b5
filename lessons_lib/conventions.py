"""The conventions of the whole course, stated once; `book/notation` prints this table."""

from dataclasses import dataclass

__all__ = ["CONVENTIONS", "Convention"]


@dataclass(frozen=True)
class Convention:
    """One symbol, and what it stands for wherever it appears.

    Attributes:
        symbol: As printed in a lesson, LaTeX without dollar signs.
        name: As spelled in code.
        meaning: What fixes order, frame and sign; MyST, with mathematics between dollar signs.
        unit: Unit and shape, `–` for a pure number.
        where: The lesson that introduces it, two digits.
    """

    symbol: str
    name: str
    meaning: str
    unit: str
    where: str


CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        symbol=r"q",
        name="q",
        meaning="Configuration: one number a joint.",
        unit="rad (revolute), m (prismatic), shape (n,)",
        where="01",
    ),
    Convention(
        symbol=r"\{s\},\ \{b\}",
        name="s, b",
        meaning="The space frame, fixed to the world, and the body frame, fixed to the tip.",
        unit="–",
        where="02",
    ),
    Convention(
        symbol=r"\omega = \theta\,a",
        name="omega",
        meaning="Exponential coordinates of a rotation: unit axis times angle.",
        unit="rad, shape (3,)",
        where="02",
    ),
    Convention(
        symbol=r"R_{sb}",
        name="R_sb",
        meaning="Orientation of {b} in {s}; its columns are the axes of {b} written in {s}.",
        unit="–, shape (3, 3)",
        where="02",
    ),
    Convention(
        symbol=r"[\omega]",
        name="hat_so3(omega)",
        meaning=r"The skew matrix of a vector, $[\omega]\,p = \omega \times p$; vee undoes it.",
        unit="as ω, shape (3, 3)",
        where="02",
    ),
    Convention(
        symbol=r"c_n(x)",
        name="stumpff(n, x)",
        meaning=r"$\sum_k (-x)^k/(2k+n)!$ with $x = \theta^2$, so that no formula divides by $\theta$: "
        r"$c_1 = \sin\theta/\theta$, $c_2 = (1 - \cos\theta)/\theta^2$.",
        unit="–",
        where="02",
    ),
    Convention(
        symbol=r"T_{sb}",
        name="T_sb",
        meaning=r"Pose of {b} in {s}. Subscripts cancel: $T_{sc} = T_{sb}\,T_{bc}$.",
        unit="lengths in m, shape (4, 4)",
        where="03",
    ),
    Convention(
        symbol=r"V = (\omega, v)",
        name="V_s, V_b",
        meaning="A twist, angular part first, as in Modern Robotics; the subscript names the frame it is written in.",
        unit="(rad, m), shape (6,)",
        where="03",
    ),
    Convention(
        symbol=r"\xi",
        name="xi",
        meaning="A twist where no frame matters, as the argument of exp and the result of log.",
        unit="(rad, m), shape (6,)",
        where="03",
    ),
    Convention(
        symbol=r"J_l,\ J_r",
        name="left_jacobian_se3",
        meaning=r"The left Jacobian of exp, $\exp[\xi + \delta] \approx \exp[J_l\,\delta]\,\exp[\xi]$, and the right "
        r"one, $J_r(\xi) = J_l(-\xi)$; both also for a rotation alone.",
        unit="shape (6, 6) or (3, 3)",
        where="03",
    ),
    Convention(
        symbol=r"[V]",
        name="hat_se3(V)",
        meaning=r"The matrix of a twist: $[\omega]$ with $v$ beside it and a zero row below.",
        unit="as V, shape (4, 4)",
        where="03",
    ),
    Convention(
        symbol=r"\mathrm{Ad}_T",
        name="adjoint(T)",
        meaning=r"Carries a twist from frame to frame: $V_s = \mathrm{Ad}_{T_{sb}}\,V_b$.",
        unit="shape (6, 6)",
        where="04",
    ),
    Convention(
        symbol=r"P",
        name="exchange(), swap_halves(x)",
        meaning=r"Exchanges the halves of a twist, $(\omega, v) \leftrightarrow (v, \omega)$; a map of twists becomes "
        r"$P A P$.",
        unit="–, shape (6, 6)",
        where="04",
    ),
    Convention(
        symbol=r"\{a\}",
        name="a",
        meaning=r"The aligned frame: at the tip, its axes parallel to those of {s}. $T_{sa} = (I, p)$ and "
        r"$T_{ab} = (R, 0)$.",
        unit="–",
        where="04",
    ),
    Convention(
        symbol=r"\mathcal{S}_i",
        name="screws[:, i]",
        meaning=r"Screw axis of joint $i$, written in {s} at $q = 0$: $\omega$ of unit length for a revolute joint, "
        r"$\omega = 0$ and $v$ of unit length for a prismatic one.",
        unit="shape (6,)",
        where="05",
    ),
    Convention(
        symbol=r"M",
        name="home",
        meaning="Pose of the tip at $q = 0$.",
        unit="lengths in m, shape (4, 4)",
        where="05",
    ),
    Convention(
        symbol=r"a,\ \alpha,\ d,\ \theta",
        name="rows of from_dh",
        meaning=r"A Denavit-Hartenberg row: $\theta$ about and $d$ along a joint's axis $z$, $\alpha$ about and $a$ "
        r"along the common normal $x$ to a neighbour's. Standard rows are $e^{[Z]}e^{[X]}$, modified ones "
        r"$e^{[X]}e^{[Z]}$, with $Z = (0, 0, \theta, 0, 0, d)$ and $X = (\alpha, 0, 0, a, 0, 0)$.",
        unit="m, rad, m, rad",
        where="05",
    ),
    Convention(
        symbol=r"J_s(q),\ J_b(q)",
        name="J_s, J_b",
        meaning=r"Space and body Jacobian: $V_s = J_s\,\dot q$ and $V_b = J_b\,\dot q$, with "
        r"$J_s = \mathrm{Ad}_{T_{sb}}\,J_b$.",
        unit="shape (6, n)",
        where="06",
    ),
    Convention(
        symbol=r"T_{sd}",
        name="T_sd",
        meaning="The target: desired pose of the tip in {s}.",
        unit="lengths in m, shape (4, 4)",
        where="08",
    ),
    Convention(
        symbol=r"V_b = \log(T_{sb}^{-1} T_{sd})",
        name="V_b",
        meaning="The error of a pose, as the body twist that would mend it in unit time.",
        unit="(rad, m), shape (6,)",
        where="08",
    ),
    Convention(
        symbol=r"\epsilon_\omega,\ \epsilon_v",
        name="Stop",
        meaning=r"Convergence is judged on the body twist, each part in its own unit: $\lVert\omega_b\rVert \le "
        r"\epsilon_\omega$ and $\lVert v_b\rVert \le \epsilon_v$.",
        unit="rad, m",
        where="08",
    ),
    Convention(
        symbol=r"J = U\,\Sigma\,Y^\mathsf{T}",
        name="svd",
        meaning=r"Singular values $\sigma_1 \ge \sigma_2 \ge \dots$ of a Jacobian: $J y_i = \sigma_i u_i$, with $u_i$ "
        r"a motion of the tip and $y_i$ a combination of joint rates, each of length one.",
        unit="rows of ω: –, rows of v: m/rad",
        where="09",
    ),
    Convention(
        symbol=r"\lambda",
        name="damping",
        meaning=r"Damping factor: its square, the damping, is added to the diagonal of $J^\mathsf{T} W J$.",
        unit="m/rad, as a singular value",
        where="10",
    ),
    Convention(
        symbol=r"W",
        name="weights",
        meaning=r"Diagonal of six weights in the order $(\omega, v)$; they enter the objective "
        r"$\tfrac12 V^\mathsf{T} W V$, not only the stopping rule.",
        unit="m²/rad² (ω), – (v), shape (6,)",
        where="11",
    ),
    Convention(
        symbol=r"\ell",
        name="ell",
        meaning=r"What a radian is worth, as a length: $\ell^2 = w_\omega / w_v$.",
        unit="m",
        where="13",
    ),
    Convention(
        symbol=r"s(\tau)",
        name="time_scaling(tau)",
        meaning=r"The part of a way that is done, 0 to 1, at the part $\tau$ of its duration.",
        unit="–",
        where="22",
    ),
    Convention(
        symbol=r"K",
        name="gain",
        meaning=r"Gain of a loop that steers with the velocity $K\,V_b$; with ticks of length $\Delta t$ each of "
        r"them leaves $1 - K\,\Delta t$ of the error.",
        unit="1/s",
        where="14",
    ),
    Convention(
        symbol=r"n",
        name="null_vector(J)",
        meaning=r"Rates that the hand does not feel, $J n = 0$, where one joint is to spare; $\lVert n\rVert$ is the "
        "manipulability. (As a number, $n$ is how many joints there are.)",
        unit="as the minors of J, shape (n,)",
        where="15",
    ),
    Convention(
        symbol=r"N = I - J^{+}J",
        name="null_space_projector(J)",
        meaning=r"The null space projector: what the task of $J$ leaves free. $N_1$ is that of the first task.",
        unit="–, shape (n, n)",
        where="15",
    ),
    Convention(
        symbol=r"z",
        name="secondary",
        meaning=r"Rates of a secondary task; $\dot q = J^{+}V + N z$ comes as near to them as $V$ allows.",
        unit="rad/s (revolute), m/s (prismatic), shape (n,)",
        where="15",
    ),
    Convention(
        symbol=r"\psi",
        name="arm_angle(chain, q)",
        meaning="The arm angle of an arm with seven joints: how far the elbow has turned about the line from shoulder "
        "to wrist, right-handed, from where it stands above that line.",
        unit="rad",
        where="15",
    ),
    Convention(
        symbol=r"H,\ c",
        name="P, q",
        meaning=r"Cost of a quadratic program, $\tfrac12 x^\mathsf{T}Hx + c^\mathsf{T}x$; P and q in qpsolvers.",
        unit="[cost]², per unit of x squared and of x",
        where="16",
    ),
    Convention(
        symbol=r"G,\ h",
        name="G, h",
        meaning=r"What a program allows, $Gx \le h$, one row a wall; for a step $x$ is $\Delta q = \dot q\,dt$. "
        r"(The pitch of a screw is an $h$ as well, as in Modern Robotics.)",
        unit="shapes (m, n) and (m,)",
        where="16",
    ),
    Convention(
        symbol=r"\mu",
        name="z (in qpsolvers)",
        meaning=r"Multipliers, one a row of $G$, zero or positive at the solution: what the least cost "
        r"falls by for a unit of $h_i$.",
        unit="[cost]² per unit of h, shape (m,)",
        where="16",
    ),
    Convention(
        symbol=r"\gamma",
        name="gain (of a barrier)",
        meaning=r"How fast a distance may be used up: $\dot d \ge -\gamma\,d$.",
        unit="1/s",
        where="16",
    ),
    Convention(
        symbol=r"e(q),\ J = \partial e/\partial q",
        name="compute_error, compute_jacobian",
        meaning="Error of a task, and its derivative; the derivative of an error twist is the negative of an arm's J.",
        unit="as the task has it, shapes (k,) and (k, n)",
        where="17",
    ),
    Convention(
        symbol=r"\kappa",
        name="cost",
        meaning=r"What a unit of a task's error costs; its square is a weight on the diagonal of the task's $W$.",
        unit="[cost]/m or [cost]/rad, shape (k,)",
        where="17",
    ),
    Convention(
        symbol=r"\alpha",
        name="gain",
        meaning=r"The part of a task's error that a step is asked to remove, $J\,\Delta q = -\alpha e$; "
        r"$K\,\Delta t$ in a loop with ticks. (In a Denavit-Hartenberg row $\alpha$ is an angle.)",
        unit="–, in [0, 1]",
        where="17",
    ),
    Convention(
        symbol=r"\lambda^2 = \lambda_0^2\,\alpha^2\,e^\mathsf{T} W e",
        name="lm_damping",
        meaning=r"Damping that a task adds for itself, and `lm_damping`, which is $\lambda_0^2$, not $\lambda_0$.",
        unit="[cost]²/rad², and λ₀²: 1/rad²",
        where="17",
    ),
    Convention(
        symbol=r"u = (x, y, z, w)",
        name="q[3:7]",
        meaning=r"Unit quaternion of a floating base, real part last: $(\sin\tfrac\theta2\,a,\ \cos\tfrac\theta2)$; "
        r"before it in $q$ stands the base's position.",
        unit="–, shape (4,)",
        where="18",
    ),
    Convention(
        symbol=r"q \oplus \nu",
        name="integrate(q, v)",
        meaning=r"A step along a tangent $\nu$, one number a rate: $T\exp[\xi]$ for a floating base, whose twist "
        r"$\xi$ comes first in $\nu$, and a sum for a joint.",
        unit="as q, shape (nq,)",
        where="18",
    ),
    Convention(
        symbol=r"p_c,\ m,\ p_m",
        name="centre_of_mass",
        meaning=r"The centre of mass; the mass that a joint carries, and the centre of that mass.",
        unit="m, kg, m",
        where="18",
    ),
    Convention(
        symbol=r"\chi",
        name="chi",
        meaning="The chance that a start leads to the pose.",
        unit="–",
        where="19",
    ),
    Convention(
        symbol=r"s,\ p,\ S(p)",
        name="serial, cores, speed_up",
        meaning="The share of the time on one core that cannot be divided; how many cores there are; how many times as "
        "fast they do the same work.",
        unit="–",
        where="19",
    ),
    Convention(
        symbol=r"N,\ n,\ o,\ t",
        name="poses, chunk, overhead, pose",
        meaning="How many poses a study has, and how many a chunk; the time of a chunk, whatever is in it, and that "
        "of a pose.",
        unit="–, –, s, s",
        where="19",
    ),
)
