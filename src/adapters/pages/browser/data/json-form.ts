/** The JSON form of a value of the core in the answers of `chronicle_*` methods. */

/** A value as JSON: amounts, heights and positions are decimal texts, and an absent value is null. */
export type JsonForm<Value> = Value extends bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends object
      ? { readonly [Name in keyof Value]: JsonForm<Value[Name]> }
      : Value;
