import { z } from 'zod'

/** What GET /health/live answers while the process lives, and the version of the product that it runs. */
export const Liveness = z.object({ live: z.literal(true), version: z.string() })
export type Liveness = z.infer<typeof Liveness>
