import type { Alarm } from '../../../contract/alarms/calls.ts'
import { AlarmSeverity } from './alarm-state.tsx'
import { useAlarmWords } from './use-alarm-words.ts'

/** What is wrong by a rule, beside what other alarms of a list say of themselves. */
export default function RuleSentence({ alarm }: { alarm: Alarm }) {
  const { sentenceOf } = useAlarmWords(alarm.HomeID)
  return (
    <>
      <AlarmSeverity alarm={alarm} />
      <span>{sentenceOf(alarm)}</span>
    </>
  )
}
