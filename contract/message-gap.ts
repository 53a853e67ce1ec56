import { z } from 'zod'
import { topics } from './channels/table.ts'
import { defineChannel } from './kernel/define-channel.ts'
import { Millis } from './kernel/scalars.ts'

export const messageGap = defineChannel(
  topics.messageGap,
  z.object({
    /** Time of the first message that may be missing, epoch ms. */
    Since: Millis,
    /** False during the gap, true once it has ended. */
    Over: z.boolean(),
  }),
)
