import { SendOutlined } from '@ant-design/icons'
import { notificationChannelCalls } from '../../../contract/notifications/channel-calls.ts'
import type { NotificationChannel } from '../../../contract/notifications/notification-channel.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'

/** Sends a test message through a channel, and says what came of it. */
export function TestChannel({ channel }: { channel: NotificationChannel }) {
  const t = useT()
  const may = useMay('company', 'Update')
  const { busy, run } = useAction(notificationChannelCalls.test)
  if (!may) return null
  const { NotificationChannelID, ChannelName: name } = channel
  async function test() {
    const answer = await run({ NotificationChannelID })
    if (!answer) return
    const { Sent, Error: fault } = answer
    if (Sent) return notices.success(() => tNow('channels:test.sent'))
    notices.error(() =>
      tNow('channels:test.failed', {
        reason: fault ? tNow(`channels:errors.${fault}`) : '',
      }),
    )
  }
  return (
    <IconButton
      icon={<SendOutlined />}
      disabled={busy}
      label={t('channels:test.press', { name })}
      onPress={() => void test()}
    />
  )
}
