FROM node:22-slim AS build
WORKDIR /package
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts/build.js scripts/build-stamp.js scripts/pack-native.js scripts/
COPY src src
RUN npm run build
RUN node scripts/pack-native.js --unpacked
RUN npm prune --omit=dev --ignore-scripts

FROM node:22-slim
WORKDIR /package
COPY LICENSE NOTICE package.json ./
COPY engine/engine.wasm engine/engine.json engine/LICENSES.txt engine/
COPY --from=build /package/node_modules node_modules
COPY --from=build /package/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
ENV NODE_ENV=production
# Large buffers that are freed go back to the system. Left alone, glibc keeps more and more of them.
ENV MALLOC_MMAP_THRESHOLD_=131072
ENV MALLOC_ARENA_MAX=2
ENV CHRONICLED_HOME=/data
# Inside of a container everything is behind its own network; compose.yaml publishes on loopback only.
ENV CHRONICLED_JSON_RPC_ADDRESS=0.0.0.0:8545
ENV CHRONICLED_JSON_RPC_WS_ADDRESS=0.0.0.0:8546
ENV CHRONICLED_RPC_LADDR=tcp://0.0.0.0:26657
ENV CHRONICLED_GRPC_ADDRESS=0.0.0.0:9090
ENV CHRONICLED_API_ADDRESS=tcp://0.0.0.0:1317
ENV CHRONICLED_METRICS_ADDRESS=0.0.0.0:26660
EXPOSE 8545 8546 26657 9090 1317 26660
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:26660/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/node/main.js"]
CMD ["dev"]
