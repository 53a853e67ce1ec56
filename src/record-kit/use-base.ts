import { useState } from 'react'
import { callErrorIn } from '../data/post.ts'

interface Base<T> {
  /** The record that the form stands on: a save names its version, so that it replaces no other one. */
  base: T
  /** As somebody else has saved it since; undefined while the form stands on the last one. */
  theirs: T | undefined
  /** From now on the form stands on this one. */
  stand: (record: T) => void
  /** Saves; false when somebody else was first, whose record is then to be fetched. Rejects for any other reason. */
  save: (send: () => Promise<unknown>) => Promise<boolean>
}

/**
 * What a form was filled with, while the record may change by somebody else's hand. Undefined is a record that is not there yet.
 */
export function useBase<T extends { Version: number } | undefined>(record: T): Base<T> {
  const [base, setBase] = useState(record)
  const [saving, setSaving] = useState(false)
  const isOld = base !== undefined && record !== undefined && record.Version !== base.Version
  return {
    base,
    // One's own change comes back before the page is left.
    theirs: isOld && !saving ? record : undefined,
    stand: setBase,
    async save(send) {
      setSaving(true)
      try {
        await send()
        return true
      } catch (error) {
        setSaving(false)
        if (callErrorIn(error)?.fields['Version'] !== 'changed') throw error
        return false
      }
    },
  }
}
