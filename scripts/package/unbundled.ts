/** Packages that the built gateway loads from `node_modules`: those with native parts, and clients that few installations need. */
export const UNBUNDLED = [
  '@node-rs/argon2',
  'sharp',
  '@aws-sdk/client-s3',
  '@nats-io/transport-node',
] as const
