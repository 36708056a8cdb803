/** gRPC over plaintext HTTP/2. */
export { createGrpcServer, type GrpcOptions, type GrpcServer } from './server.js';
