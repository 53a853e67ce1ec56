import { CalendarOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useT } from '../../lib/i18n/i18n.ts'
import { today } from '../../ui/inputs/days.ts'
import { useAddress } from '../../ui/page/use-address.ts'
import { useZone } from '../../ui/page/use-zone.ts'

/** Narrows the list to who is expected today, in the order in which they come. */
export function ExpectedToday() {
  const t = useT()
  const zone = useZone()
  const { change } = useAddress()
  return (
    <Button
      icon={<CalendarOutlined />}
      onClick={() => change({ state: 'expected', from: today(zone), to: today(zone), sort: 'ValidFrom' })}
    >
      {t('access:expectedToday')}
    </Button>
  )
}
