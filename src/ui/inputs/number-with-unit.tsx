import { InputNumber, Space, type InputNumberProps } from 'antd'
import type { ComponentRef, FC, Ref } from 'react'
import styles from './number-with-unit.module.css'

/**
 * A field for a figure, as wide as there is room, its unit or its bounds written behind it. It takes what a form hands to
 * its fields.
 *
 * unit  nothing stands behind the figure if absent
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
