import { Modal, Select } from 'antd'
import { useState } from 'react'
import { peripheralCalls } from '../../../contract/resources/peripheral.ts'
import { describeFields } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import type { Place } from './place.ts'

/** Which meter stands above another; the gateway refuses a loop and a meter of another home, and says so here. */
export function ParentDialog({ place, id, close }: { place: Place; id: string; close: () => void }) {
  const t = useT()
  const { busy, refused, run } = useAction(peripheralCalls.updateAdvance, { shows: 'fields' })
  const faults = describeFields(refused)
  const [parent, choose] = useState<string | null>(place.meters.get(id)?.ParentMeter ?? null)
  const name = place.nameOf(id)
  const send = async () => {
    const done = await run({ HomeID: place.homeId, PeripheralUID: id, ParentMeter: parent }, () =>
      tNow('meters:parent.done', { name }),
    )
    if (!done) return
    close()
  }
  return (
    <Modal
      open
      title={t('meters:parent.title', { name })}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={close}
    >
      <div className={page.stack}>
        <p className={page.hint}>{t('meters:parent.why')}</p>
        <Select
          showSearch
          optionFilterProp="label"
          aria-label={t('meters:parent.label')}
          status={faults['ParentMeter'] ? 'error' : ''}
          value={parent ?? ''}
          onChange={(next: string) => choose(next || null)}
          options={[
            { value: '', label: t('devices:noParentMeter') },
            ...[...place.meters.values()]
              .filter(({ PeripheralUID }) => PeripheralUID !== id)
              .map((meter) => ({ value: meter.PeripheralUID, label: meter.name })),
          ]}
        />
        {Object.values(faults).map((text) => (
          <p key={text} className={page.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}
