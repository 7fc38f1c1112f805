"""The data sets that recall is measured on: a file each, with its loader, its protocol and its scoring as the set's
NOTE says. Nothing of any set is part of the project; each file finds its data below the folder it is given."""
