import { InputNumber, Space, type InputNumberProps } from 'antd'
import type { ComponentRef, FC, Ref } from 'react'
import styles from './number-with-unit.module.css'

/**
 * Number field that fills the available width, followed by its unit or range. Accepts the props that a form passes to its fields.
 *
 * unit  no text follows the field if absent
 */
export const NumberWithUnit: FC<
  InputNumberProps<number> & { unit?: string | undefined; ref?: Ref<ComponentRef<typeof InputNumber>> }
> = ({ unit, ...field }) =>
  unit === undefined ? (
    <InputNumber<number> {...field} className={styles.figure} />
  ) : (
    <Space.Compact block>
      <InputNumber<number> {...field} className={styles.figure} />
      <Space.Addon className={styles.unit}>{unit}</Space.Addon>
    </Space.Compact>
  )
