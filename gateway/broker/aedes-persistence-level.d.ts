declare module 'aedes-persistence-level' {
  import type { Level } from 'level'
  /** A store of sessions and queued messages for aedes. */
  export default function persistence(db: Level<string, Buffer>): {
    cleanSubscriptions(client: { id: string }): Promise<void>
    outgoingStream(client: { id: string }): AsyncIterable<{ messageId?: number }>
    destroy(): Promise<void>
  }
}
