"""Gunicorn settings of a public installation; WEB_CONCURRENCY is the number of processes.

Each process has four threads, so a request that waits for the database or a slow client does not
block others.
"""

# Only the proxy may connect; the image, where it has another address, sets another one.
bind = "127.0.0.1:8000"
# Django decides which headers of proxies to believe (PAWSMITH_PROXIES).
forwarded_allow_ips = ""
worker_class = "gthread"
threads = 4
timeout = 60
graceful_timeout = 30
# Proxies keep connections longer than this, and retry if one was closed.
keepalive = 75
# Processes rarely release memory, so they are replaced after some requests.
max_requests = 20_000
max_requests_jitter = 5_000
# Heartbeats are files; on a slow disk they would come too late.
worker_tmp_dir = "/dev/shm"  # noqa: S108
control_socket_disable = True
