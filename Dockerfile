# JupyterLab with the course, all that robots need compiled:
#   docker build --tag lessons . && docker run --rm --publish 127.0.0.1:8888:8888 lessons
FROM python:3.11-slim-bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home reader
COPY --chown=reader . /home/reader/course
USER reader
WORKDIR /home/reader/course
RUN make front && .venv/bin/python -m copies lab && .venv/bin/lessons warm
EXPOSE 8888
CMD ["make", "lab", "OPTIONS=--ip=0.0.0.0 --no-browser"]
