import { type ReactNode, useState } from 'react'
import { Checkbox } from 'antd'
import { describeFields } from '../../../data/failure.ts'
import { useT, t as tNow } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { Modal } from '../../../ui/page/dialog.tsx'
import { meterFacts } from '../../../../contract/meters/fact-calls.ts'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import { CEILING_KW } from '../../../../contract/meters/validate-readings.ts'
import { useAction } from '../../../data/use-action.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import type { Place } from '../common/place.ts'
import { firstDay, Since, type SinceChoice } from '../common/fields.tsx'

interface Props {
  title: string
  explanation: string
  isWhole: boolean
  busy: boolean
  refused: Parameters<typeof describeFields>[0]
  save: () => Promise<void>
  close: () => void
  children: ReactNode
}

/** Dialog that edits one fact of a meter and shows why the gateway rejected it. */
export function FactDialog({ title, explanation, isWhole, busy, refused, save, close, children }: Props) {
  const t = useT()
  return (
    <Modal
      open
      title={title}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: !isWhole }}
      onOk={() => void save()}
      onCancel={close}
    >
      <div className={page.stack}>
        <p className={page.hint}>{explanation}</p>
        {children}
        {Object.values(describeFields(refused)).map((text) => (
          <p key={text} className={page.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}

interface LimitDialogProps {
  place: Place
  id: string
  /** Present limit in kW; null if none is set. */
  limit: number | null
  close: () => void
}

/** Dialog for the maximum power of a meter and its first day. */
export function LimitDialog({ place, id, limit, close }: LimitDialogProps) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), place.zone))
  const [kw, setKw] = useState(limit)
  const [isRemoving, setIsRemoving] = useState(false)
  const [since, setSince] = useState<SinceChoice>({ way: 'today', date: today })
  const { busy, refused, run } = useAction(meterFacts.setMeterFact, { feedback: 'fields' })
  const From = firstDay(since, today)
  const name = place.nameOf(id)
  const save = async () => {
    if (From === undefined) return
    const setting = {
      HomeID: place.homeId,
      MeterID: id,
      Fact: 'limit' as const,
      Value: isRemoving ? null : kw,
      From,
    }
    if (await run(setting, () => tNow('meters:facts.limitDone', { name }))) close()
  }
  return (
    <FactDialog
      title={t('meters:facts.limitTitle', { name })}
      explanation={t('meters:facts.limitWhy')}
      isWhole={From !== undefined && (isRemoving || kw !== null)}
      {...{ busy, refused, save, close }}
    >
      <NumberWithUnit
        aria-label={t('meters:quarantined.limitLabel')}
        unit="kW"
        min={0.001}
        max={CEILING_KW}
        disabled={isRemoving}
        value={kw}
        onChange={setKw}
      />
      <Checkbox checked={isRemoving} onChange={({ target }) => setIsRemoving(target.checked)}>
        {t('meters:facts.unlimited')}
      </Checkbox>
      <Since value={since} today={today} zone={place.zone} change={setSince} />
    </FactDialog>
  )
}
