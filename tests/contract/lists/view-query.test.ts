import { describe, expect, it } from 'vitest'
import { SavedView } from '../../../contract/people/personal-calls.ts'
import { viewQuery } from '../../../contract/lists/list-query.ts'

describe('the query of a saved view', () => {
  it('keeps the address parameters of the list in one order, and drops others', () => {
    expect(viewQuery('user', 'tab=x&sort=-rank&state=off&q=%E7%8E%8B&kind=qr')).toBe(
      'q=%E7%8E%8B&state=off&sort=-rank',
    )
    expect(viewQuery('scan', 'tab=log&result=denied&from=2026-03-01')).toBe('from=2026-03-01&result=denied')
    expect(viewQuery('department', 'q=&sort=')).toBe('')
  })

  it('is read for devices as their list reads it', () => {
    expect(viewQuery('device', 'room=2&kind=Dragon&sort=-room')).toBe('room=2&sort=-room')
    expect(viewQuery('device', 'watts=100..&state=on&hub=h%201&sort=-power')).toBe(
      'state=on&hub=h%201&watts=100..&sort=-power',
    )
    for (const watts of ['../..', '500..100', '1e9..', '12'])
      expect(viewQuery('device', `state=burning&watts=${watts}`)).toBe('')
  })

  it('is rejected if it is too long once encoded', () => {
    const view = { List: 'user' as const, Name: 'long', HomeID: null }
    expect(SavedView.safeParse({ ...view, Query: `q=${'燈'.repeat(100)}` }).success).toBe(false)
    expect(SavedView.parse({ ...view, Query: 'q=a&evil=1' }).Query).toBe('q=a')
    expect(SavedView.safeParse({ ...view, List: 'dragon', Query: 'q=a' }).success).toBe(false)
  })
})
