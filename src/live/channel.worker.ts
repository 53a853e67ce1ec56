/** Worker that holds the realtime channel, to keep the page responsive. */
import '../lib/zod-without-eval.ts'
import { serveChannel } from './channel-server.ts'

serveChannel(globalThis as unknown as Parameters<typeof serveChannel>[0])
