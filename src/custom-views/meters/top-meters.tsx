import { Alert, Button, Checkbox, Select } from 'antd'
import { useState } from 'react'
import { meterFacts } from '../../../contract/meters/fact-calls.ts'
import { peripheralCalls } from '../../../contract/devices/peripheral.ts'
import { branchesOf } from '../../../contract/meters/meter-tree.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { setWithExpiry, getUnexpired } from '../../lib/storage-with-expiry.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import type { Place } from './common/place.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

/** Time for which this browser stores the confirmation that the meters are independent. */
const CONFIRMATION_TTL_MS = 180 * 86_400_000

/**
 * Notice that several meters of a home have no parent and are therefore added up; asks whether one of them includes the others. Confirmed
 * independence is asked again when a meter is added.
 */
export function TopMeters({ place }: { place: Place }) {
  const t = useT()
  const mayMove = useMay('device', 'Update')
  const isKnown = useDevices(place.homeId).data !== undefined
  const [open, setOpen] = useState(false)
  const top = branchesOf([...place.tree.values()])
    .map(({ PeripheralUID }) => PeripheralUID)
    .filter((id) => place.meters.has(id))
  const key = `independentMeters.${place.homeId}`
  const [independent, setIndependent] = useState<unknown>(() => getUnexpired(key))
  const independentIds = new Set(Array.isArray(independent) ? independent : [])
  if (!mayMove || !isKnown || top.length < 2 || top.every((id) => independentIds.has(id))) return null
  return (
    <>
      <Alert
        type="info"
        showIcon
        message={t('meters:top.several', { count: top.length })}
        description={t('meters:top.ask')}
        action={
          <span className={page.row}>
            <Button
              onClick={() => {
                setWithExpiry(key, top, undefined, CONFIRMATION_TTL_MS)
                setIndependent(top)
              }}
            >
              {t('meters:top.independent')}
            </Button>
            <Button type="primary" onClick={() => setOpen(true)}>
              {t('meters:top.set')}
            </Button>
          </span>
        }
      />
      {open && <MainDialog place={place} top={top} close={() => setOpen(false)} />}
    </>
  )
}

/** Dialog that puts some of the top-level meters below one of them. */
function MainDialog({ place, top, close }: { place: Place; top: readonly string[]; close: () => void }) {
  const t = useT()
  const [main, setMain] = useState<string | null>(null)
  const [lowerMeters, setLowerMeters] = useState<readonly string[]>([])
  const mayDate = useMay('electricity', 'Update')
  const { busy, run } = useAction(async (input: { main: string; below: readonly string[] }, send) => {
    const { homeId: HomeID } = place
    for (const id of input.below)
      // A first entry is valid from always.
      if (mayDate)
        await send(meterFacts.setMeterFact, {
          HomeID,
          MeterID: id,
          Fact: 'parent',
          Value: input.main,
          From: null,
        })
      else await send(peripheralCalls.updateAdvance, { HomeID, PeripheralUID: id, ParentMeter: input.main })
    return true
  })
  const otherTopMeters = top.filter((id) => id !== main)
  const selectedIds = lowerMeters.filter((id) => otherTopMeters.includes(id))
  const save = async () => {
    if (main === null) return
    const textValues = { count: selectedIds.length, name: place.nameOf(main) }
    if (await run({ main, below: selectedIds }, () => tNow('meters:top.done', textValues))) close()
  }
  return (
    <Modal
      open
      title={t('meters:top.title')}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: main === null || selectedIds.length === 0 }}
      onOk={() => void save()}
      onCancel={close}
    >
      <div className={page.stack}>
        <label htmlFor="main-meter">{t('meters:top.main')}</label>
        <Select
          id="main-meter"
          showSearch
          filterOption={holdsLabel}
          placeholder={t('meters:top.choose')}
          value={main}
          onChange={setMain}
          options={top.map((id) => ({ value: id, label: place.nameOf(id) }))}
        />
        {main !== null && (
          <fieldset className={page.stack}>
            <legend>{t('meters:top.below', { name: place.nameOf(main) })}</legend>
            <Checkbox
              checked={selectedIds.length === otherTopMeters.length}
              indeterminate={selectedIds.length > 0 && selectedIds.length < otherTopMeters.length}
              onChange={({ target }) => setLowerMeters(target.checked ? otherTopMeters : [])}
            >
              {t('meters:top.all')}
            </Checkbox>
            {otherTopMeters.map((id) => (
              <Checkbox
                key={id}
                checked={selectedIds.includes(id)}
                onChange={({ target }) =>
                  setLowerMeters(
                    target.checked ? [...selectedIds, id] : selectedIds.filter((meterId) => meterId !== id),
                  )
                }
              >
                {place.nameOf(id)}
              </Checkbox>
            ))}
          </fieldset>
        )}
      </div>
    </Modal>
  )
}
