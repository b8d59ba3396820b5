"""Scripts for the browser are derived once, and again after a change of the library."""

from inspect import unwrap

from lessons_lib.codegen import dependencies, scripts
from lessons_lib.codegen.dependencies import PACKAGE
from lessons_lib.course.inverse_kinematics import live as elbow


def test_an_outdated_script_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "built" / "scripts" / "elbow.js"
    monkeypatch.setattr(scripts, "script_path", lambda module: path)
    assert scripts.read_script("lessons_lib.course.inverse_kinematics.live") is None
    scripts.write_script("lessons_lib.course.inverse_kinematics.live", "one\ntwo\n")
    assert scripts.read_script("lessons_lib.course.inverse_kinematics.live") == "one\ntwo\n"
    assert scripts.derived_once(unwrap(elbow.script))() == "one\ntwo\n"
    monkeypatch.setattr(scripts, "digest_of_all", lambda: "another library")
    assert scripts.read_script("lessons_lib.course.inverse_kinematics.live") is None


def test_the_digest_depends_on_names_and_contents_of_files_that_are_not_built(tmp_path):
    package = tmp_path / PACKAGE / "robots"
    for path in (package / name for name in ("arm.py", "arm.urdf", "built/page.js", "__pycache__/arm.pyc")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1", encoding="utf-8")

    def digest():
        dependencies.digest_of_all.cache_clear()
        return dependencies.digest_of_all(tmp_path)

    seen = [digest()]
    (package / "built" / "page.js").write_text("2", encoding="utf-8")
    (package / "__pycache__" / "arm.pyc").unlink()
    assert digest() == seen[0]
    (package / "arm.urdf").write_text("2", encoding="utf-8")
    seen.append(digest())
    (package / "arm.py").rename(package / "leg.py")
    seen.append(digest())
    (package / "leg.py").unlink()
    assert len({*seen, digest()}) == 4
    dependencies.digest_of_all.cache_clear()
