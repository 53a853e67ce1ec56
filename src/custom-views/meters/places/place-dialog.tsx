import { Radio } from 'antd'
import { useState } from 'react'
import {
  type OpeningHours,
  type PlaceFact,
  placeFacts,
} from '../../../../contract/homes/place-facts-calls.ts'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import type { PlaceFactName } from '../../../../contract/homes/place-facts.ts'
import { describeFields } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import page from '../../../ui/page/page.module.css'
import { useNow } from '../../../ui/page/use-now.ts'
import { firstDay, Since, type SinceChoice } from '../common/fields.tsx'
import { HoursField, OFFICE } from './hours-field.tsx'
import { Modal } from '../../../ui/page/dialog.tsx'

/** Maximum area, m². */
const MAX_AREA_M2 = 10_000_000

interface Props {
  homeId: string
  zone: string
  /** Null for the whole site. */
  RoomID: number | null
  name: string
  fact: PlaceFactName
  /** In the order of their first days. */
  history: readonly PlaceFact[]
  close: () => void
}

/** Dialog for the area or hours of a site or room and their first day. */
export function PlaceDialog({ homeId, zone, RoomID, name, fact, history, close }: Props) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), zone))
  const last = history.at(-1)?.Value ?? null
  const [area, setArea] = useState(fact === 'area' ? (last as number | null) : null)
  const [hours, setHours] = useState(fact === 'hours' ? (last as OpeningHours | null) : null)
  // A first entry has usually always been valid.
  const [since, setSince] = useState<SinceChoice>({ way: history.length ? 'today' : 'always', date: today })
  const { busy, refused, run } = useAction(placeFacts.setPlaceFact, { feedback: 'fields' })
  const From = firstDay(since, today)
  const isComplete =
    fact === 'area' ? area !== null : (hours ?? []).every(({ Weekdays }) => Weekdays.length > 0)
  const save = async () => {
    if (From === undefined) return
    const Seen = history.map((entry) => ({ From: entry.From, Value: entry.Value }))
    const Value = fact === 'area' ? area : hours
    const isDone = await run({ HomeID: homeId, RoomID, Fact: fact, Value, From, Seen }, () =>
      tNow('meters:places.done', { name }),
    )
    if (isDone) close()
  }
  return (
    <Modal
      open
      width={fact === 'hours' ? 640 : 520}
      title={t(`meters:places.titles.${fact}`, { name })}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: From === undefined || !isComplete }}
      onOk={() => void save()}
      onCancel={close}
    >
      <div className={page.stack}>
        <p className={page.hint}>{t(`meters:places.help.${fact}`)}</p>
        {fact === 'area' ? (
          <NumberWithUnit
            aria-label={t('meters:places.facts.area')}
            unit="m²"
            min={0.01}
            max={MAX_AREA_M2}
            status={refused['Value'] ? 'error' : ''}
            value={area}
            onChange={setArea}
          />
        ) : (
          <>
            <Radio.Group
              aria-label={t('meters:places.facts.hours')}
              value={hours === null ? 'unsaid' : 'own'}
              onChange={({ target }) => setHours(target.value === 'own' ? [OFFICE] : null)}
              options={[
                {
                  value: 'unsaid',
                  label: t(RoomID === null ? 'meters:places.unsaid' : 'meters:places.asSite'),
                },
                { value: 'own', label: t('meters:places.own') },
              ]}
            />
            {hours !== null && <HoursField value={hours} change={setHours} />}
          </>
        )}
        <Since value={since} today={today} zone={zone} change={setSince} />
        {Object.values(describeFields(refused)).map((text) => (
          <p key={text} className={page.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}
