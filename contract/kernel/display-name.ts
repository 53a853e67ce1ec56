/**
 * A person's display name: first and last name joined, or whichever exists (§3); in Chinese the family name comes
 * first without a space. Falls back to the nickname, then to the address.
 */
export function displayName(person: {
  FirstName: string
  LastName: string
  nickname?: string
  Email: string
}): string {
  const { FirstName: first, LastName: last } = person
  const joined = /\p{Script=Han}/u.test(first + last) ? last + first : [first, last].filter(Boolean).join(' ')
  return joined || person.nickname || person.Email
}
