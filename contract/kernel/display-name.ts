/**
 * Display name of a person: first and last name joined, or the one that exists (§3); in Chinese the family name first, without a
 * space. Falls back to the nickname, then to the email address.
 */
export function displayName(person: {
  FirstName: string
  LastName: string
  nickname?: string
  Email: string
}): string {
  const { FirstName: first, LastName: last } = person
  const fullName = /\p{Script=Han}/u.test(first + last)
    ? last + first
    : [first, last].filter(Boolean).join(' ')
  return fullName || person.nickname || person.Email
}
