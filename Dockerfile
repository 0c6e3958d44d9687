# The index of node:24.21.0-slim for amd64 and arm64. What a newer one is called: docker buildx imagetools inspect node:24-slim
ARG NODE_IMAGE=node:24.21.0-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

# What browsers run is the same for all, and is made by the machine that builds.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS pages
WORKDIR /srv/metasnap
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
RUN npm run assets

FROM ${NODE_IMAGE} AS libraries
WORKDIR /srv/metasnap
COPY package.json package-lock.json .npmrc ./
# esbuild is one of the optional packages and is needed; Node is one too, and is there.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM ${NODE_IMAGE}
WORKDIR /srv/metasnap
COPY --from=libraries /srv/metasnap/node_modules ./node_modules
COPY --from=pages /srv/metasnap/.assets ./.assets
COPY package.json tsconfig.json LICENSE ./
COPY data ./data
COPY scripts ./scripts
COPY src ./src
RUN ln -s /srv/metasnap/scripts/bin/metasnap.cjs /usr/local/bin/metasnap
# A volume that is new takes over whose this folder is.
RUN install -d -o node -g node /var/lib/metasnap
USER node
# Beside its data it writes what it compiled, to a home that is gone with the container.
ENV HOME=/tmp METASNAP_DATA=/var/lib/metasnap METASNAP_HOST=0.0.0.0
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METASNAP_PORT ?? 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["metasnap"]
CMD ["serve"]
