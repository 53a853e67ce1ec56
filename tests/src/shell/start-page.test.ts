import { beforeAll, expect, it } from 'vitest'
import { PERMISSION_TEMPLATES, type TemplateName } from '../../../contract/people/permission-templates.ts'
import type { Permission, PermissionSubject } from '../../../contract/kernel/permissions.ts'
import { setScreens } from '../../../src/shell/offered-pages.ts'
import { startPages, suitablePage } from '../../../src/shell/start-page.ts'
import { screens } from '../../../src/screens.ts'

beforeAll(() => setScreens(screens))

const subjectWith = (permissions: Permission[]): PermissionSubject => ({ isRoot: false, permissions })
const withTemplate = (name: TemplateName) => subjectWith([...PERMISSION_TEMPLATES[name]])

it.each([
  ['frontDesk', false, 'AccessControl'],
  ['operator', true, 'Alarm'],
  ['operator', false, undefined],
  ['facilityManager', true, undefined],
  ['viewer', true, undefined],
] as const)('for %s, on a phone: %s, is %s', (name, isPhone, page) => {
  expect(suitablePage(withTemplate(name), isPhone)).toBe(page)
})

it('for someone who sees energy only is electricity', () => {
  const reader = subjectWith([
    { FeatureKey: 'dashboard', OperationList: ['Read'] },
    { FeatureKey: 'electricity', OperationList: ['Read'] },
  ])
  expect(suitablePage(reader, false)).toBe('Electricity')
})

it('for the owner is the dashboard', () => {
  expect(suitablePage({ isRoot: true, permissions: [] }, true)).toBeUndefined()
})

it('may be any page that the user may open', () => {
  expect(startPages(withTemplate('frontDesk'))).toEqual([
    'Dashboard',
    'ConferenceRoomBooking',
    'AccessControl',
  ])
})
