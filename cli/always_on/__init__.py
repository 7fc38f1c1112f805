"""The daemon as something the system starts when you log in: a unit of systemd's user instance, or an agent of
launchd's. Nobody needs it: a daemon starts with the first request. It is for those whose daemon is asked over HTTP, or
is to be there before."""
