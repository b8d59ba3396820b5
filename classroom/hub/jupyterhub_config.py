"""Configuration of the JupyterHub that `make hub` starts on one machine; see the page "For teachers" of the book.

If root starts the hub, each student logs in with the password of an account on the machine and works in its home
folder. If $LESSONS_HUB_PASSWORD is set, anyone can log in with this password under any name, and all servers run as the
user who started the hub. Use this only for trials, because students can then read each other's files.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from proxy import NODE, PROXY  # noqa: E402

PLACE = Path(os.environ["LESSONS_HUB"]).resolve()
PASSWORD = os.environ.get("LESSONS_HUB_PASSWORD")
EXCHANGE = PLACE / "exchange"
EXCHANGE.mkdir(parents=True, exist_ok=True)
EXCHANGE.chmod(0o777)  # required by nbgrader; students cannot read each other's submissions
DATABASE = PLACE / "hub.sqlite"
DATABASE.touch()
DATABASE.chmod(0o600)  # SQLite would make it readable for everyone

c = get_config()  # noqa: F821 (JupyterHub runs this file with get_config in scope)
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # passwords are sent: serve other machines only over HTTPS
c.JupyterHub.db_url = f"sqlite:///{DATABASE}"
c.JupyterHub.cookie_secret_file = str(PLACE / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(PLACE / "proxy.pid")
c.ConfigurableHTTPProxy.command = [str(NODE), str(PROXY)]

c.Authenticator.allow_all = True
if PASSWORD:
    c.JupyterHub.authenticator_class = "shared-password"
    c.SharedPasswordAuthenticator.user_password = PASSWORD
    c.JupyterHub.spawner_class = "simple"
    c.SimpleLocalProcessSpawner.home_dir_template = str(PLACE / "homes" / "{username}")
elif os.getuid() != 0:
    sys.exit("only root can start servers for others: `sudo make hub`, or for a trial LESSONS_HUB_PASSWORD=… make hub")
else:
    needed = {HERE, PLACE, Path(sys.executable).parent, Path(sys.executable).resolve().parent}
    folders = {str(part) for path in needed for part in (path, *path.parents) if not part.stat().st_mode & 0o011}
    if folders:
        sys.exit(
            f"students have no access to {', '.join(sorted(folders))}, which contains the hub, its Python or its data; "
            "put the course in a folder that everyone can read, and make its .venv with a Python that everyone can run"
        )

c.Spawner.cmd = [sys.executable, str(HERE / "server.py")]
c.Spawner.args = ["--allow-root"] if PASSWORD and os.getuid() == 0 else []
FIRST_LESSON = min((HERE.parents[1] / "notebooks").glob("*.ipynb")).name
c.Spawner.default_url = f"/lab/tree/lessons/{FIRST_LESSON}"
c.Spawner.environment = {
    "LESSONS_COMPILED": str(PLACE / "cache"),
    "LESSONS_COPIES": str(PLACE / "lessons"),
    "LESSONS_EXCHANGE": str(EXCHANGE),
    "LESSONS_OWN_NUMBERS": os.environ.get("LESSONS_OWN_NUMBERS", ""),
}
c.Spawner.start_timeout = 120  # s
c.Spawner.http_timeout = 120  # s
