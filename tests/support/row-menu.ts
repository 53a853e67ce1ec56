import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { t } from '../../src/lib/i18n/i18n.ts'

/** Opens the menu of a row in a list. */
export async function openRowMenu(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: t('lists:rowMenu', { name }) }))
}

/** Opens the menu of a row and presses an item of it. */
export async function pressInRowMenu(user: UserEvent, name: string, item: string): Promise<void> {
  await openRowMenu(user, name)
  await user.click(await screen.findByRole('menuitem', { name: item }))
}
