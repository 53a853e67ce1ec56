import type { Alarm } from '../../../../contract/alarms/calls.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { breachOf } from '../../../../contract/attention/breach-verdict.ts'
import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { troublesOf } from '../../../../contract/devices/device-health.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useAlarmWords } from '../../alarms/use-alarm-words.ts'
import { useBreachWords } from '../../../domain/devices/path-words.ts'
import { FieldValue } from '../../../domain/devices/control/field-value.tsx'

interface Props {
  item: AttentionItem
  /** Undefined if the device was removed, and while it loads. */
  device: Peripheral | undefined
  alarm: Alarm | undefined
}

/** Faults that a device reports, readings outside their limits, or the measurement of a rule. */
export default function ExactWords({ item, device, alarm }: Props) {
  const t = useT()
  if (item.Kind === 'state')
    return troublesOf(item, item.Values).troubles.map(({ capability, field, value }) => (
      <FieldValue key={`${capability.name} ${field}`} capability={capability} field={field} value={value} />
    ))
  if (item.Kind === 'breach' && device) return <Breaches item={item} device={device} />
  if (alarm) return <Sentence alarm={alarm} />
  return (
    <span>
      {t(item.Kind === 'breach' ? 'dashboard:attention.kinds.breach' : 'dashboard:attention.kinds.rule')}
    </span>
  )
}

function Breaches({ item, device }: { item: AttentionItem & { Kind: 'breach' }; device: Peripheral }) {
  const t = useT()
  const inWords = useBreachWords(device)
  return <span>{item.Readings.flatMap(breachOf).map(inWords).join(t('screens:listComma'))}</span>
}

function Sentence({ alarm }: { alarm: Alarm }) {
  const { sentenceOf } = useAlarmWords(alarm.HomeID)
  return <span>{sentenceOf(alarm)}</span>
}
