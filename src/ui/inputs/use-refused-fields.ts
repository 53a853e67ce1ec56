import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import { describeField } from '../../data/failure.ts'

/**
 * Shows the errors of a rejected call at the fields of a form, and scrolls to the first of them.
 *
 * refused  reason key by field path, as returned by `useAction`
 * wordsOf  text of a field's reason in this form
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- shown once, when the call is rejected
  }, [refused])
}
