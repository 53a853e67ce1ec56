# The gateway as an image: `docker build .`, `podman build .` or `buildah build .`
#
#   --target gateway                  for a PostgreSQL of yours: DATABASE_URL, PUBLIC_URL
#   --target gateway-with-postgresql  with a database of its own in /data, for one machine: PUBLIC_URL (the default)
#
# The program is built in the image, or, with PROGRAM=staged, taken from dist/package as `npm run package:tree` leaves it.
ARG BASE=docker.io/library/node:22-bookworm-slim
ARG PROGRAM=built

FROM ${BASE} AS built
WORKDIR /source
COPY . .
RUN npm ci --engine-strict --no-fund --no-audit && npm run package:tree

FROM scratch AS staged
COPY dist/package /source/dist/package

FROM ${PROGRAM} AS program

FROM ${BASE} AS gateway
# PostgreSQL asks for the name of whom it runs as.
RUN echo "gateway:x:10001:10001::/data:/bin/false" >> /etc/passwd && echo "gateway:x:10001:" >> /etc/group && \
  mkdir -p /data && chown 10001:10001 /data && chmod 700 /data
COPY --from=program /source/dist/package/app /opt/building-dashboard
ENV NODE_ENV=production DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080 1883 8883
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/opt/building-dashboard/dist/gateway/command.js", "health"]
# What it has accepted it finishes and stores, in at most half a minute.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps", "--max-semi-space-size=64", "/opt/building-dashboard/dist/gateway/main.js"]

FROM gateway AS gateway-with-postgresql
COPY --from=program /source/dist/package/postgresql /opt/building-dashboard
