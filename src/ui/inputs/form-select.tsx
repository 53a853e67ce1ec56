import { Select, type SelectProps } from 'antd'
import type { FC } from 'react'

/**
 * A select as a field of a form. The form marks its fields aria-required, and antd 5 puts that on an element around
 * the combobox too, where it is not allowed.
 */
export const FormSelect: FC<SelectProps> = (props) => <Select {...props} aria-required={undefined} />
