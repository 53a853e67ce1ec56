import type { FC } from 'react'
import { FieldValue } from './field-value.tsx'
import { useDeviceFieldWords } from '../field-words.ts'
import type { FaceProps } from './face.ts'
import page from '../../../ui/page/page.module.css'
import styles from './faces.module.css'

interface Props extends Pick<FaceProps, 'capability' | 'status'> {
  fields: readonly string[]
}

export const Readings: FC<Props> = ({ capability, status, fields }) => {
  const { nameOf } = useDeviceFieldWords()
  return (
    <dl className={`${page.wideRow} ${page.measures} ${styles.grid}`}>
      {fields.map((field) => (
        <div key={field}>
          <dt>{nameOf(capability, field)}</dt>
          <dd>
            <FieldValue capability={capability} field={field} value={status?.[field]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
