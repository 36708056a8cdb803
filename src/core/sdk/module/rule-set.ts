/** Rules of an application version in another form than the ordinary one, by set; `RuleSet.with` makes an entry. */
export type OtherRules = ReadonlyMap<RuleSet<object>, object>;

/**
 * Rules that an application version may have in another form, such as those of a Go node. Their ordinary form stands
 * beside the code that calls them: `stakingRules.of(context).requireValidatorLeft(context)`.
 */
export class RuleSet<Rules extends object> {
  constructor(readonly ordinary: Rules) {}

  /** The rules of a version. */
  of({ version }: { readonly version: { readonly rules: OtherRules } }): Rules {
    return (version.rules.get(this) as Rules | undefined) ?? this.ordinary;
  }

  /** An entry of `AppVersion.rules`: the ordinary rules with `other` in their place. */
  with(other: Partial<Rules>): readonly [RuleSet<object>, object] {
    return [this, { ...this.ordinary, ...other }];
  }
}
