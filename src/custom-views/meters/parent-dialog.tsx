import { Modal, Select } from 'antd'
import { useState } from 'react'
import { peripheralCalls } from '../../../contract/resources/peripheral.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import styles from './meters.module.css'
import type { Place } from './place.ts'
import { useSave } from './use-meters.ts'

/** Which meter stands above another; the gateway refuses a loop and a meter of another home, and says so here. */
export function ParentDialog({ place, id, close }: { place: Place; id: string; close: () => void }) {
  const t = useT()
  const { busy, faults, save } = useSave()
  const [parent, choose] = useState<string | null>(place.meters.get(id)?.ParentMeter ?? null)
  const name = place.nameOf(id)
  const send = async () => {
    const done = await save(
      peripheralCalls.updateAdvance,
      { HomeID: place.homeId, PeripheralUID: id, ParentMeter: parent },
      () => tNow('meters:parent.done', { name }),
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
      <div className={styles.stack}>
        <p className={styles.note}>{t('meters:parent.why')}</p>
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
          <p key={text} className={styles.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}
