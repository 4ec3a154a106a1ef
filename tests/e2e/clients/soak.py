"""Many programs at once, for a while: soak.py SECONDS SECURE_URL PLAIN_URL CERTIFICATE CLIENTS_DIRECTORY

Prints "warm" when each has run once, goes on when the file "go" is there, prints "rested" when all have ended, and ends
when the file "end" is there. Each failure is one line on standard error; the last line of standard output counts the runs.
"""

import collections
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

seconds, secure, plain, certificate, directory = float(sys.argv[1]), *sys.argv[2:6]
port = os.environ["HTTP_PROXY"].rpartition(":")[2]
host, secure_port = secure.removeprefix("https://").split(":")
socks = ["--proxy", f"socks5h://127.0.0.1:{port}"]

# What is run, and what it must print; None: whatever it does.
programs = {
    "curl": (["curl", "-sS", f"{secure}/hello.txt"], "hello\n"),
    "curl, plain": (["curl", "-sS", f"{plain}/hello.txt"], "hello\n"),
    "curl, posting": (["curl", "-sS", "-d", "posted", plain], "posted"),
    "curl, socks": (["curl", "-sS", *socks, f"{secure}/hello.txt"], "hello\n"),
    "curl, much": (["sh", "-c", f"curl -sS {secure}/much | wc -c"], f"{8 << 20}\n"),
    "curl, cut off": (["curl", "-sS", "--max-time", "0.05", "-o", "/dev/null", f"{plain}/much"], None),
    "curl, refused": (["curl", "-s", "http://refused.test/"],
                      "agentrun: refused.test:80 is not allowed (not_allowed)"),
    "curl, dead port": (["curl", "-sS", "--max-time", "5", "-o", "/dev/null", f"http://{host}:1/"], None),
    "wget": (["wget", "-q", "-O-", f"--ca-certificate={certificate}", f"{secure}/hello.txt"], "hello\n"),
    "git": (["sh", "-c", f"git clone -q {secure}/repository.git copy && cat copy/file"], "content\n"),
    "urllib": ([sys.executable, f"{directory}/fetch.py", f"{secure}/hello.txt"], "200 hello\n"),
    "node": (["node", f"{directory}/tunnel.js", host, secure_port], "200 hello\n101 frame\n"),
    "npm": (["sh", "-c", "npm install --no-audit --no-fund --no-update-notifier --cache ./cache "
             f"--registry {secure}/npm top >out.txt 2>&1 || cat out.txt; ls node_modules | wc -l"], "13\n"),
}
programs = {name: program for name, program in programs.items()
            if name.partition(",")[0] == "urllib" or shutil.which(name.partition(",")[0])}
count = collections.Counter()
failed = []


def run(name):
    argv, expected = programs[name]
    with tempfile.TemporaryDirectory(dir=".") as place:
        done = subprocess.run(argv, cwd=place, capture_output=True, text=True, timeout=60, check=False)
    count[name] += 1
    if expected is not None and done.stdout != expected:
        failed.append(f"{name}: printed {done.stdout!r}: {done.stderr}")


def work(turns, deadline):
    for name in turns:
        if time.monotonic() > deadline:
            return
        try:
            run(name)
        except subprocess.TimeoutExpired:
            failed.append(f"{name}: did not end")


def wait_for(file):
    deadline = time.monotonic() + 60
    while not pathlib.Path(file).exists() and time.monotonic() < deadline:
        time.sleep(0.02)


for program in programs:
    run(program)
print("warm", flush=True)
wait_for("go")
end = time.monotonic() + seconds
names = list(programs)
threads = [threading.Thread(target=work, args=(itertools.cycle(names[i:] + names[:i]), end)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("rested", flush=True)
wait_for("end")
for line in failed:
    print(line, file=sys.stderr)
print(sum(count.values()), "runs of", len(programs), "programs", flush=True)
sys.exit(1 if failed else 0)
