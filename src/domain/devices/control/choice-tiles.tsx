import { useId, type FC, type ReactNode } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { PendingChange } from './field-control.tsx'
import type { FieldProps } from './on-off-control.tsx'
import { useDeviceFieldWords, valueKey } from '../field-words.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import page from '../../../ui/page/page.module.css'
import styles from './climate.module.css'

interface Props extends FieldProps {
  /** Icons by choice name. */
  icons?: Readonly<Record<string, ReactNode>>
}

/** Radio buttons as tiles. The checked tile is the reported value; a dashed one is requested and not reported yet. */
export const ChoiceTiles: FC<Props> = ({ capability, field, status, send, pending, icons }) => {
  const t = useT()
  const id = useId()
  const why = useNoControl()
  const { nameOf } = useDeviceFieldWords()
  const [value, target] = [status?.[field], pending?.[field]]
  return (
    <fieldset className={styles.choices} title={why}>
      <legend>
        <span>{nameOf(capability, field)}</span>
        <PendingChange capability={capability} field={field} value={value} target={target} />
      </legend>
      <div className={styles.tiles}>
        {capability.choices?.[field]?.map(([choice, name]) => (
          <label
            key={choice}
            className={`${page.card} ${styles.tile} ${target === choice && value !== choice ? styles.wanted : ''}`}
          >
            <input
              type="radio"
              name={id}
              checked={value === choice}
              disabled={why !== undefined}
              onChange={() => why === undefined && send({ [field]: choice })}
            />
            {icons?.[name]}
            {t(valueKey(name))}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
