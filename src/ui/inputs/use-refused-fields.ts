import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import { describeField } from '../../data/failure.ts'

/**
 * Shows what a call refused at the fields of a form, and goes to the first of them.
 *
 * refused  reason key by field path, as `useAction` answers it
 * wordsOf  the reason of a field in words of this form
 */
export function useRefusedFields(
  form: FormInstance,
  refused: Readonly<Record<string, string>>,
  wordsOf: (reason: string, field: string) => string = describeField,
): void {
  useEffect(() => {
    const names = Object.keys(refused)
    if (names.length === 0) return
    form.setFields(names.map((name) => ({ name, errors: [wordsOf(refused[name] ?? '', name)] })))
    form.focusField(names[0])
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- told once, when it was refused
  }, [refused])
}
