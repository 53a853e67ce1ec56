import { z } from 'zod'

/** Answer of GET /health/live: the process is running; `version` is that of the product. */
export const Liveness = z.object({ live: z.literal(true), version: z.string() })
export type Liveness = z.infer<typeof Liveness>
