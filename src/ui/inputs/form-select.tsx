import { Select, type SelectProps } from 'antd'
import type { FC } from 'react'

/** Select as a form field. The form sets aria-required on it; antd 5 repeats that on a wrapper element, for which it is invalid ARIA. */
export const FormSelect: FC<SelectProps> = (props) => <Select {...props} aria-required={undefined} />
