# Pinned by tag; docs/operations.md says how to pin it by digest.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim
FROM $NODE_IMAGE AS build
WORKDIR /app
COPY package.json package-lock.json nest-cli.json ./
COPY libs/client/package.json libs/client/
COPY libs/cli/package.json libs/cli/
COPY libs/console/package.json libs/console/
# No package needs its install script; what is not run cannot do harm.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY config config
COPY libs libs
COPY src src
# The packages of the workspaces are in their bundles; @nestjs/swagger needs TypeScript only to compile.
RUN npm run build && npm prune --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/.cache node_modules/typescript

FROM $NODE_IMAGE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SHUTDOWN_DELAY_SECONDS=5
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN install -d -o node -g node -m 0700 /data /data/media
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Messaging Template API" \
  org.opencontainers.image.description="Sends pre-approved WhatsApp template messages and records the outcome of each" \
  org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.base.name=$NODE_IMAGE
# docker build --build-arg VERSION=…, as docs/operations.md says; after the layers that they do not change.
ARG VERSION=unknown
ARG REVISION=unknown
ARG SOURCE=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.source=$SOURCE \
  org.opencontainers.image.created=$CREATED
USER node
VOLUME /data
EXPOSE 3000
# Liveness, not readiness: a process that waits for its database holds answers that must not be thrown away with it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself gets SIGTERM, finishes what is in flight and exits. The young generation is bounded: docs/adr/0016-node-24-in-the-image.md.
CMD ["node", "--max-semi-space-size=16", "dist/src/main.js"]
