import { BellOutlined, CheckCircleOutlined, WarningOutlined } from '@ant-design/icons'
import type { FC } from 'react'
import type { Notification } from '../../../contract/notifications/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'

const MARKS: Record<Notification['Severity'], { tone: Tone; Icon?: FC }> = {
  critical: { tone: 'alarm', Icon: WarningOutlined },
  warning: { tone: 'warning', Icon: BellOutlined },
  info: { tone: 'plain' },
}

/** Tag with the severity of a notification; a cleared alarm has a tag of its own. */
export const SeverityMark: FC<Pick<Notification, 'Severity' | 'Kind'>> = ({ Severity, Kind }) => {
  const t = useT()
  if (Kind === 'alarmCleared')
    return (
      <StateTag tone="good" icon={<CheckCircleOutlined />}>
        {t('inbox:over')}
      </StateTag>
    )
  const { tone, Icon } = MARKS[Severity]
  return (
    <StateTag tone={tone} icon={Icon && <Icon />}>
      {t(`screens:severities.${Severity}`)}
    </StateTag>
  )
}
