import { Select } from 'antd'
import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ParentChoice } from './use-parent-choices.ts'
import styles from './add-device.module.css'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

interface Props {
  uid: string
  name: string
  choices: readonly ParentChoice[]
  /** Undefined while nobody has answered, null for none. */
  parent: string | null | undefined
  answer: (parent: string | null) => void
}

/**
 * Asks whether what a meter counts is counted by another one already. Nothing is chosen beforehand: a guess that nobody sees
 * would count energy twice, or lose it.
 */
export const ParentQuestion: FC<Props> = ({ uid, name, choices, parent, answer }) => {
  const t = useT()
  const id = `parent-${uid}`
  return (
    <div className={styles.question}>
      <label htmlFor={id}>{t('screens:addDevice.parent.ask', { name })}</label>
      <Select
        id={id}
        showSearch
        filterOption={holdsLabel}
        placeholder={t('screens:addDevice.parent.choose')}
        value={parent === undefined ? null : (parent ?? '')}
        onChange={(next: string | null) => answer(next || null)}
        options={[
          { value: '', label: t('screens:addDevice.parent.none') },
          ...choices.map((one) => ({
            value: one.PeripheralUID,
            label: t('screens:addDevice.parent.below', { name: one.name }),
          })),
        ]}
      />
    </div>
  )
}
