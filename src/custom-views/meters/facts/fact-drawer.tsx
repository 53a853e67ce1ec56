import { formatNumber } from '../../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Radio } from 'antd'
import { useState } from 'react'
import { type MeterFact, meterFacts } from '../../../../contract/meters/fact-calls.ts'
import {
  type MeterFactName,
  type MeterUse,
  type FactValues,
  METER_USES,
} from '../../../../contract/meters/meter-facts.ts'
import { call, callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { isVirtual } from '../../../domain/energy/use-names.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../../ui/page/states.tsx'
import type { Place } from '../common/place.ts'
import { FactHistory, type FactHistoryRow, UndoLine, useSinceWords } from './fact-history.tsx'
import { LimitDialog, FactDialog } from './fact-dialog.tsx'
import { Drawer } from '../../../ui/page/dialog.tsx'
import { useHomes } from '../../../data/homes.ts'

interface Props {
  place: Place
  id: string
  close: () => void
}

/** Facts that always have a value: the entry without a first day can be replaced, but not deleted. */
const REQUIRED_FACTS: readonly string[] = ['room', 'parent', 'terms']
const OF_METERS = ['role', 'room', 'parent', 'use', 'limit'] as const
const OF_VIRTUAL = ['role', 'room', 'parent', 'terms'] as const

/** History of a meter's facts, with first day and author; the newest entry can be deleted and restored. */
export function FactDrawer({ place, id, close }: Props) {
  const t = useT()
  const query = useQuery(callQuery(meterFacts.listMeterFact, { HomeID: place.homeId, MeterID: id }))
  return (
    <Drawer open onClose={close} title={t('meters:facts.title', { name: place.nameOf(id) })}>
      {query.data ? (
        <Histories place={place} id={id} facts={query.data} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={6} />
      )}
    </Drawer>
  )
}

type Removed = MeterFact & { Fact: MeterFactName }

function Histories({ place, id, facts }: { place: Place; id: string; facts: readonly MeterFact[] }) {
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const mayRemove = useMay('electricity', 'Delete')
  const words = useFactWords(place)
  const since = useSinceWords()
  const [removed, setRemoved] = useState<Removed>()
  const [dialog, setDialog] = useState<'limit' | 'use'>()
  const { busy, run } = useAction(meterFacts.setMeterFact)
  const sentence = (fact: MeterFact) => t('meters:facts.said', { what: words(fact), since: since(fact.From) })
  const remove = (removedFact: Removed) =>
    confirmRemoval({
      name: sentence(removedFact),
      consequence: t('meters:facts.removeText'),
      remove: async () => {
        const { MeterID, Fact, From } = removedFact
        await call(meterFacts.deleteMeterFact, { HomeID: place.homeId, MeterID, Fact, From })
        setRemoved(removedFact)
      },
    })
  const putBack = async ({ MeterID, Fact, Value, From }: Removed) => {
    const setting = { HomeID: place.homeId, MeterID, Fact, Value, From }
    if (await run(setting, () => tNow('meters:facts.undone'))) setRemoved(undefined)
  }
  const rowOf = (row: MeterFact, isOnly: boolean): FactHistoryRow => {
    const { Fact, From } = row
    const isStated = Fact !== 'rated' && Fact !== 'learnt'
    const isRemovable = mayRemove && isStated && (From !== null || (isOnly && !REQUIRED_FACTS.includes(Fact)))
    return { ...row, text: words(row), ...(isRemovable && { remove: () => remove({ ...row, Fact }) }) }
  }
  return (
    <div className={page.stack}>
      <p className={page.hint}>{t('meters:facts.why')}</p>
      {removed && <UndoLine what={sentence(removed)} busy={busy} undo={() => void putBack(removed)} />}
      {(isVirtual(id) ? OF_VIRTUAL : OF_METERS).map((name) => {
        const of = facts.filter(
          ({ Fact }) => Fact === name || (name === 'limit' && (Fact === 'rated' || Fact === 'learnt')),
        )
        const rows = of.toSorted((a, b) => (a.From ?? '').localeCompare(b.From ?? ''))
        return (
          <FactHistory
            key={name}
            title={t(`meters:facts.names.${name}`)}
            emptyText={t(
              isVirtual(id) && name === 'role' ? 'meters:facts.none.total' : `meters:facts.none.${name}`,
            )}
            rows={rows.map((row) => rowOf(row, of.length === 1))}
            extra={
              (name === 'limit' || name === 'use') &&
              mayChange && (
                <Button onClick={() => setDialog(name)}>
                  {t(name === 'limit' ? 'meters:facts.setLimit' : 'meters:facts.setUse')}
                </Button>
              )
            }
          />
        )
      })}
      {dialog === 'limit' && (
        <LimitDialog
          place={place}
          id={id}
          limit={(facts.findLast(({ Fact }) => Fact === 'limit')?.Value ?? null) as number | null}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog === 'use' && (
        <UseDialog
          place={place}
          id={id}
          use={facts.findLast(({ Fact }) => Fact === 'use')?.Value as MeterUse | undefined}
          close={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

function useFactWords(place: Place): (fact: Pick<MeterFact, 'Fact' | 'Value'>) => string {
  const t = useT()
  const rooms = useHomes()?.find(({ HomeID }) => HomeID === place.homeId)?.RoomList ?? []
  const endedRooms = useQuery(callQuery(meterFacts.listEndedRoom, { HomeID: place.homeId })).data
  const roomOf = (id: number) =>
    [...rooms, ...(endedRooms ?? [])].find(({ RoomID }) => RoomID === id)?.RoomName ??
    (endedRooms ? t('energy:roomGone', { id: String(id) }) : String(id))
  return ({ Fact, Value }) => {
    if (Fact === 'role') return t(`balance:roles.${Value as FactValues['role']}`)
    if (Fact === 'use') return t(`energy:uses.${Value as MeterUse}`)
    if (Fact === 'room') return roomOf(Value as number)
    if (Fact === 'parent') return Value === null ? t('devices:noParentMeter') : place.nameOf(Value as string)
    if (Fact === 'terms')
      return (Value as FactValues['terms'])
        .map(({ PeripheralUID, Factor }) => `${Factor > 0 ? '+' : '−'} ${place.nameOf(PeripheralUID)}`)
        .join('  ')
    if (Value === null) return t('meters:facts.unlimited')
    const kw = `${formatNumber(Value as number, 3)} kW`
    return Fact === 'limit' ? kw : t(`meters:facts.${Fact}`, { kw })
  }
}

interface UseDialogProps {
  place: Place
  id: string
  /** As configured; undefined if not, then the use follows from the meter's name. */
  use: MeterUse | undefined
  close: () => void
}

/** Dialog for the use of a meter. Findings use the present value only, so it has no first day. */
function UseDialog({ place, id, use, close }: UseDialogProps) {
  const t = useT()
  const [value, choose] = useState(use)
  const { busy, refused, run } = useAction(meterFacts.setMeterFact, { feedback: 'fields' })
  const name = place.nameOf(id)
  const save = async () => {
    if (value === undefined) return
    const setting = { HomeID: place.homeId, MeterID: id, Fact: 'use' as const, Value: value, From: null }
    if (await run(setting, () => tNow('meters:facts.useDone', { name }))) close()
  }
  return (
    <FactDialog
      title={t('meters:facts.useTitle', { name })}
      explanation={t('meters:facts.useWhy')}
      isWhole={value !== undefined}
      {...{ busy, refused, save, close }}
    >
      <Radio.Group
        aria-label={t('meters:facts.names.use')}
        className={page.tightStack ?? ''}
        value={value}
        onChange={({ target }) => choose(target.value as MeterUse)}
        options={METER_USES.map((meterUse) => ({ value: meterUse, label: t(`energy:uses.${meterUse}`) }))}
      />
    </FactDialog>
  )
}
