import { Radio, Select } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type MeterFact, meterFacts } from '../../../../contract/meters/fact-calls.ts'
import { peripheral, peripheralCalls } from '../../../../contract/devices/peripheral.ts'
import { dayOf, formatDay } from '../../../../contract/time/periods.ts'
import { callQuery } from '../../../data/api.ts'
import { describeFields } from '../../../data/failure.ts'
import { useDevices, useHomes } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { useRoles } from '../../../domain/energy/use-roles.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { DayField } from '../../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import page from '../../../ui/page/page.module.css'
import type { Place } from '../common/place.ts'
import { type DatedEntry, historyAfterMove } from './history-after-move.ts'
import { MovePreview } from './move-preview.tsx'
import { Modal } from '../../../ui/page/dialog.tsx'
import { holdsLabel } from '../../../lib/match-words.ts'

/** Fact that a move changes: parent meter or room. */
export type MoveFact = 'parent' | 'room'
/** First day: today, a chosen date, or always. */
const SINCE_OPTIONS = ['today', 'date', 'always'] as const

interface Props {
  place: Place
  id: string
  fact: MoveFact
  close: () => void
}

/** Dialog for the parent or room of a meter and its first day; shows the gateway's error for a loop or a meter of another home. */
export function MoveDialog({ place, id, fact, close }: Props) {
  const t = useT()
  const now = useNow()
  const mayDate = useMay('electricity', 'Update')
  const today = formatDay(dayOf(now, place.zone))
  const ofDevice = usePlace(place, id, fact)
  const facts = useQuery(callQuery(meterFacts.listMeterFact, { HomeID: place.homeId, MeterID: id })).data
  const [selectedValue, setSelectedValue] = useState<string | number | null>()
  const [way, setWay] = useState<(typeof SINCE_OPTIONS)[number]>('today')
  const [date, setDate] = useState(today)
  const { busy, refused, run } = useMove(mayDate)
  const entries = (facts ?? []).filter((entry) => entry.Fact === fact)
  const current = entries.length ? (entries.at(-1)?.Value as string | number | null) : ofDevice
  const value = selectedValue === undefined ? current : selectedValue
  const history: DatedEntry<MeterFact['Value']>[] = entries.length
    ? entries
    : [{ From: null, Value: current }]
  const From = way === 'always' ? null : way === 'today' ? today : date
  const name = place.nameOf(id)
  const options = useOptions(place, id, fact)
  const nameOf = (factValue: MeterFact['Value']) =>
    options.find((option) => option.value === (factValue ?? ''))?.label ?? t('meters:move.gone')
  const send = async () => {
    const Seen = entries.map((entry) => ({ From: entry.From, Value: entry.Value }))
    const isDone = await run({ homeId: place.homeId, id, fact, Value: value, From, Seen }, () =>
      tNow(`meters:${fact}.done`, { name }),
    )
    if (isDone) close()
  }
  return (
    <Modal
      open
      title={t(`meters:${fact}.title`, { name })}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: facts === undefined || (way === 'date' && date === '') }}
      onOk={() => void send()}
      onCancel={close}
    >
      <div className={page.stack}>
        <p className={page.hint}>{t(`meters:${fact}.why`)}</p>
        <Select
          showSearch
          filterOption={holdsLabel}
          aria-label={t(`meters:${fact}.label`)}
          status={refused['Value'] || refused['ParentMeter'] ? 'error' : ''}
          value={value ?? ''}
          onChange={(next: string | number) => setSelectedValue(next === '' ? null : next)}
          options={options}
        />
        {mayDate ? (
          <Radio.Group
            aria-label={t('meters:move.since')}
            className={page.stack ?? ''}
            value={way}
            onChange={({ target }) => setWay(target.value as (typeof SINCE_OPTIONS)[number])}
            options={SINCE_OPTIONS.map((option) => ({ value: option, label: t(`meters:move.${option}`) }))}
          />
        ) : (
          <p className={page.hint}>{t('meters:move.todayOnly')}</p>
        )}
        {way === 'date' && (
          <DayField
            zone={place.zone}
            max={today}
            label={t('meters:move.firstDay')}
            status={refused['From'] ? 'error' : ''}
            value={date}
            change={setDate}
          />
        )}
        {facts !== undefined && (From === null || From !== '') && (
          <MovePreview
            place={place}
            id={id}
            previousHistory={history}
            now={historyAfterMove(history, { From, Value: value })}
            nameOf={nameOf}
          />
        )}
        {Object.values(describeFields(refused)).map((text) => (
          <p key={text} className={page.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}

interface Move {
  homeId: string
  id: string
  fact: MoveFact
  Value: MeterFact['Value']
  From: string | null
  Seen: Pick<MeterFact, 'From' | 'Value'>[]
}

/** Without the right to date facts, it updates the device, which is valid from today. */
const useMove = (mayDate: boolean) =>
  useAction(
    async ({ homeId: HomeID, id, fact, Value, From, Seen }: Move, send) => {
      const key = { HomeID, PeripheralUID: id }
      if (mayDate) await send(meterFacts.setMeterFact, { HomeID, MeterID: id, Fact: fact, Value, From, Seen })
      else if (fact === 'room') await send(peripheral.operations.update, { ...key, RoomID: Value as number })
      else await send(peripheralCalls.updateAdvance, { ...key, ParentMeter: Value as string | null })
      return true
    },
    { feedback: 'fields' },
  )

/** Parent or room of the meter according to its device. */
function usePlace(place: Place, id: string, fact: MoveFact): string | number | null {
  const device = useDevices(place.homeId).data?.Peripherals.find(({ PeripheralUID }) => PeripheralUID === id)
  return fact === 'room' ? (device?.RoomID ?? 0) : (place.meters.get(id)?.ParentMeter ?? null)
}

function useOptions(place: Place, id: string, fact: MoveFact): { value: string | number; label: string }[] {
  const t = useT()
  const roles = useRoles(place.homeId)
  const rooms = useHomes()?.find(({ HomeID }) => HomeID === place.homeId)?.RoomList ?? []
  if (fact === 'room') return rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))
  return [
    { value: '', label: t('devices:noParentMeter') },
    ...[
      ...place.meters.values(),
      ...[...place.virtual.values()].filter((virtualMeter) => roles?.saidOf(virtualMeter.PeripheralUID)),
    ]
      .filter(({ PeripheralUID }) => PeripheralUID !== id)
      .map((meter) => ({ value: meter.PeripheralUID, label: meter.name })),
  ]
}
