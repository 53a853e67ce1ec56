import { z } from 'zod'
import { defineChannel } from './kernel/define-channel.ts'
import { Millis } from './kernel/scalars.ts'

export const messageGap = defineChannel({
  template: '{rootId}/news/gap',
  summary:
    'News from other gateways may be missing since then. While it lasts, ask for statuses now and then; once it is over, for everything.',
  publishers: ['gateway'],
  subscribers: ['screen'],
  access: 'signed-in',
  payload: z.object({
    /** Time of the first message that may be missing, epoch ms. */
    Since: Millis,
    /** False during the gap, true once it has ended. */
    Over: z.boolean(),
  }),
})
