"""Runs shims of scikit-learn in forks of this process, which has imported it: forks.py SOCKET

A client sends its standard files with its arguments, directory and environment, and gets the exit status. The process
ends with its standard input."""
import json, os, runpy, select, signal, socket, sys, traceback
import numpy, pandas, sklearn.utils

def serve(conn):
    text, files, _, _ = socket.recv_fds(conn, 1 << 20, 3)
    message = json.loads(text)
    for to, file in enumerate(files):
        os.dup2(file, to)
        os.close(file)
    os.chdir(message["dir"])
    os.environ.clear()
    os.environ.update(kv.split("=", 1) for kv in message["env"])
    sys.stdin, sys.stdout, sys.stderr = open(0, closefd=False), open(1, "w", closefd=False), open(2, "w", closefd=False)
    sys.argv = message["args"]
    sys.path[:1] = filter(None, [os.path.dirname(os.path.abspath(sys.argv[0])), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    numpy.random.seed()  # as each process has another state
    status = 0
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as e:
        status = e.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        conn.send(bytes([status]))
    except OSError:
        pass  # the client was killed
    os._exit(status)

sklearn.utils.all_estimators()
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(64)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("ready", flush=True)
while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
    conn, _ = listener.accept()
    if os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        listener.close()
        serve(conn)
    conn.close()
