"""The web server of a public installation; WEB_CONCURRENCY says how many processes it has.

Each process has four threads, so one that waits for the database or for a slow reader keeps nobody
else waiting.
"""

bind = "0.0.0.0:8000"
worker_class = "gthread"
threads = 4
timeout = 60
graceful_timeout = 30
# A proxy keeps its connections for longer than this, and asks again when one was closed.
keepalive = 75
# Memory that a process has taken, it seldom gives back.
max_requests = 20_000
max_requests_jitter = 5_000
# Signs of life are files: on a disk that is slow, they would come too late.
worker_tmp_dir = "/dev/shm"  # noqa: S108
control_socket_disable = True
