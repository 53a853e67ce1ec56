declare module 'aedes-persistence-level' {
  import type { Level } from 'level'
  /** A connection that is sent messages. */
  export interface Recipient {
    id: string
    /** Without a session: nothing is kept for it. */
    clean: boolean
  }
  /** A packet that ends or goes on with the delivery of a message. */
  export interface Acknowledgement {
    cmd: string
    messageId?: number
  }
  /** A store of sessions and queued messages for aedes. */
  export default function persistence(db: Level<string, Buffer>): {
    cleanSubscriptions(client: { id: string }): Promise<void>
    outgoingClearMessageId(client: Recipient, packet: Acknowledgement): Promise<unknown>
    outgoingStream(client: { id: string }): AsyncIterable<{ messageId?: number }>
    destroy(): Promise<void>
  }
}
